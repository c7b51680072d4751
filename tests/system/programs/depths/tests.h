// tests.h: what names, holds or contains itself, or another one thousands of times over: nothing of it may be followed
// by a recursion of the kernel's.
#pragma once
#include "../common/checks.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

extern const struct test name_tests[], set_tests[], right_tests[], directory_tests[];
