// Reads the terminal a byte at a time, and says after each whether there is more: "BYTE MORE". Ends at a q; behind an f
// it drops what it has not read.

#include <poll.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

int main(void) {
    struct pollfd input = {.fd = 0, .events = POLLIN};
    unsigned char byte = 0;
    puts("ready");
    while (byte != 'q' && fflush(stdout) == 0 && read(0, &byte, 1) == 1) {
        if (byte == 'f' && tcflush(0, TCIFLUSH) != 0) return 2;
        printf("%d %d\n", byte, poll(&input, 1, 0));
    }
    return byte == 'q' ? 0 : 1;
}
