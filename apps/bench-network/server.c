// What Linux is measured with beside `apps/key-value`: the same key-value store over UDP, as the usual server has it,
// which takes one datagram a system call and answers it by another. Requests are those of
// apps/key-value/src/request.rs.
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { PLACES = 1 << 12, NEAR = 8, LONGEST_KEY = 32, LONGEST_VALUE = 64, MARK = 4, PORT = 7171 };

struct place {
    char key[LONGEST_KEY];
    char value[LONGEST_VALUE];
    uint8_t key_length, value_length;
};

static struct place places[PLACES];

static int has(const struct place *place, const char *key, size_t length)
{
    return place->key_length == length && memcmp(place->key, key, length) == 0;
}

// The place of a key, or NULL; with `fresh`, also a free one.
static struct place *find(const char *key, size_t length, int fresh)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t at = 0; at < length; at++)
        hash = (hash ^ (uint8_t)key[at]) * 0x100000001b3;
    struct place *free = NULL;
    for (int step = 0; step < NEAR; step++) {
        struct place *place = &places[(hash + step) % PLACES];
        if (has(place, key, length))
            return place;
        if (place->key_length == 0 && !free)
            free = place;
    }
    return fresh ? free : NULL;
}

// Writes an answer and returns its length, or 0 if there is none.
static size_t serve(const char *request, size_t length, char *answer)
{
    if (length < MARK)
        return 0;
    memcpy(answer, request, MARK);
    answer[MARK] = 'x';
    size_t key_length = length < MARK + 2 ? 0 : (uint8_t)request[MARK + 1];
    if (key_length == 0 || key_length > LONGEST_KEY || key_length > length - MARK - 2)
        return MARK + 1;
    const char *key = request + MARK + 2, *value = key + key_length;
    size_t value_length = length - MARK - 2 - key_length;
    struct place *place = find(key, key_length, request[MARK] == 's');
    if (request[MARK] == 'g' && value_length == 0) {
        answer[MARK] = place ? 'v' : 'n';
        if (!place)
            return MARK + 1;
        memcpy(answer + MARK + 1, place->value, place->value_length);
        return MARK + 1 + place->value_length;
    }
    if (request[MARK] == 's' && value_length <= LONGEST_VALUE) {
        answer[MARK] = place ? 'o' : 'f';
        if (place) {
            memcpy(place->key, key, key_length);
            memcpy(place->value, value, value_length);
            place->key_length = key_length;
            place->value_length = value_length;
        }
    }
    return MARK + 1;
}

int main(void)
{
    int server = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in all = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_ANY)};
    if (server < 0 || bind(server, (struct sockaddr *)&all, sizeof all) != 0) {
        perror("server");
        return 1;
    }
    for (;;) {
        char request[2048], answer[MARK + 1 + LONGEST_VALUE];
        struct sockaddr_in peer;
        socklen_t length = sizeof peer;
        ssize_t count = recvfrom(server, request, sizeof request, 0, (struct sockaddr *)&peer, &length);
        size_t answered = count < 0 ? 0 : serve(request, count, answer);
        if (answered > 0)
            sendto(server, answer, answered, 0, (struct sockaddr *)&peer, length);
    }
}
