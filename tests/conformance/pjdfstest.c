// pjdfstest.c: answers the calls of pjdfstest's scripts in one process, one after the other.
//
// The suite's scripts start its program `pjdfstest` once for each check. Here they run on the host, and what they would
// start goes as a line to this program, which runs on the machine under test: the suite's own source, whose main is
// called, and whose exit comes back here. Whom it becomes meanwhile is its effective user; the saved one leads back to
// root. A line is "do WORDS", "in FOLDER", "where", or one of "make", "remove", "link", "fill" for what scripts do by
// other programs.
// The answer is what the suite printed, and a line "." behind it.
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = 64, LINE = 64 << 10 };

static jmp_buf back;

static _Noreturn void leave(int status) { longjmp(back, status + 1); }
static int become(uid_t user) { return setresuid(user, user, 0); }

#define main pjdfstest_main
#define exit leave
#define setuid become
#include "pjdfstest-source.c"
#undef main
#undef exit
#undef setuid

struct words {
    int count;
    char *word[WORDS + 1];
};

// One call of the suite's program: afterwards nothing of it is left but what it did to files.
static void call(struct words *words) {
    const gid_t none[1] = { 0 };
    optind = 0;
    if (setjmp(back) == 0) {
        pjdfstest_main(words->count, words->word);
    }
    if (setresuid(0, 0, 0) != 0 || setresgid(0, 0, 0) != 0 || setgroups(1, none) != 0) {
        perror("root again");
        _exit(1);
    }
    for (int index = 0; index < ndescriptors; index++) {
        close(descriptors[index]);
    }
    free(descriptors);
    descriptors = NULL;
    ndescriptors = 0;
    umask(022);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

// A folder with all that leads to it, which may be longer than a path may be.
static int make_all(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0755);
        *slash = '/';
    }
    return mkdir(path, 0755);
}

static int fill(const char *path, const char *size) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    char byte = 'x';
    for (long left = strtol(size, NULL, 10); left > 0 && write(file, &byte, 1) == 1; left--) {
    }
    return close(file);
}

static void answer(char *line) {
    struct words words = { 0 };
    char *rest = NULL, folder[LINE];
    char *word = strtok_r(line, " \n", &rest);
    while (word != NULL && words.count < WORDS) {
        words.word[words.count++] = word;
        word = strtok_r(NULL, " \n", &rest);
    }
    const char *verb = words.count > 0 ? words.word[0] : "", *first = words.count > 1 ? words.word[1] : "";
    int failed = 0;
    if (strcmp(verb, "do") == 0) {
        call(&words);
    } else if (strcmp(verb, "in") == 0) {
        failed = chdir(first);
    } else if (strcmp(verb, "where") == 0) {
        puts(getcwd(folder, sizeof folder));
    } else if (strcmp(verb, "make") == 0) {
        failed = make_all(words.word[1]);
    } else if (strcmp(verb, "remove") == 0) {
        failed = nftw(first, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    } else if (strcmp(verb, "link") == 0) {
        failed = symlink(first, words.word[2]);
    } else if (strcmp(verb, "fill") == 0) {
        failed = fill(first, words.word[2]);
    }
    if (failed != 0) {
        fprintf(stderr, "%s %s: %s\n", verb, first, strerror(errno));
    }
}

int main(void) {
    static char line[LINE];
    char folder[] = "/tmp/pjdfstest.XXXXXX";
    umask(022);
    // Whoever a script plays is to reach it.
    if (mkdtemp(folder) == NULL || chmod(folder, 0755) != 0 || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        answer(line);
        puts(".");
        fflush(stdout);
    }
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0;
}
