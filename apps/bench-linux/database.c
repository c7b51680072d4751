/* Inserts into SQLite, each a transaction of its own: in memory, and in a file with its journal. */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "operations.h"

#ifdef WITH_SQLITE
#include <sqlite3.h>
#include <string.h>

static sqlite3 *database;
static sqlite3_stmt *insert;

static void well(int result)
{
    if (result != SQLITE_OK)
        missing(EIO);
}

static void make(const char *path)
{
    well(sqlite3_open(path, &database));
    well(sqlite3_exec(database, "create table things(number integer primary key, text, value real)", 0, 0, 0));
    well(sqlite3_prepare_v2(database, "insert into things values(?, 'a text of some length', ?)", -1, &insert, 0));
}

static void memory_ready(void)
{
    make(":memory:");
}

static void file_ready(void)
{
    unlink(file_name);
    make(file_name);
}

static void insert_rows(uint64_t rounds)
{
    static int number;
    REPEAT(rounds) {
        well(sqlite3_bind_int(insert, 1, ++number));
        well(sqlite3_bind_double(insert, 2, number * 0.5));
        if (sqlite3_step(insert) != SQLITE_DONE)
            missing(EIO);
        well(sqlite3_reset(insert));
    }
}

static int is_ok(void *answer, int columns, char **values, char **names)
{
    (void)names;
    *(int *)answer = columns == 1 && strcmp(values[0], "ok") == 0;
    return 0;
}

/* A figure of a damaged database would be worth nothing. */
static void check(void)
{
    int answer = 0;
    well(sqlite3_finalize(insert));
    well(sqlite3_exec(database, "pragma integrity_check", is_ok, &answer, 0));
    if (!answer)
        missing(EIO);
    well(sqlite3_close(database));
    unlink(file_name);
}

const struct operation database_calls[] = {
    { "sqlite-insert-memory", memory_ready, 0, insert_rows, check },
    { "sqlite-insert-file", file_ready, 0, insert_rows, check },
    { 0 },
};
#endif
