/* A database of LMDB in the current folder: inserts, lookups, scans, updates and deletions of as many records as the
 * argument says, with a second table from values to keys; prints counts and sums. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lmdb.h>

#define FILE_NAME "records.mdb"

enum { batch = 2000 }; /* changes in one transaction */

static MDB_env *env;
static MDB_dbi records, by_value;
static unsigned long long random_state = 1;

static unsigned next(unsigned below)
{
    random_state = random_state * 16807 % 2147483647;
    return (unsigned)(random_state % below);
}

static void check(int status)
{
    if (status == MDB_SUCCESS)
        return;
    fprintf(stderr, "lmdb: %s\n", mdb_strerror(status));
    exit(3);
}

static MDB_txn *begin(unsigned flags)
{
    MDB_txn *txn;

    check(mdb_txn_begin(env, NULL, flags, &txn));
    return txn;
}

static MDB_val key_of(char *space, size_t size, unsigned number)
{
    MDB_val key = {(size_t)snprintf(space, size, "record %u", number), space};

    return key;
}

/* Insert or replace; the second table follows. */
static void put(MDB_txn *txn, unsigned number, unsigned value)
{
    char space[32], text[64];
    MDB_val key = key_of(space, sizeof space, number), old, new, index;
    unsigned before;

    if (mdb_get(txn, records, &key, &old) == MDB_SUCCESS) {
        memcpy(&before, old.mv_data, sizeof before);
        index = (MDB_val){sizeof before, &before};
        check(mdb_del(txn, by_value, &index, &key));
    }
    memset(text, 'a' + (int)(value % 26), sizeof text);
    memcpy(text, &value, sizeof value);
    new = (MDB_val){sizeof value + value % (sizeof text - sizeof value), text};
    check(mdb_put(txn, records, &key, &new, 0));
    index = (MDB_val){sizeof value, &value};
    check(mdb_put(txn, by_value, &index, &key, 0));
}

static int remove_record(MDB_txn *txn, unsigned number)
{
    char space[32];
    MDB_val key = key_of(space, sizeof space, number), old, index;
    unsigned before;

    if (mdb_get(txn, records, &key, &old) != MDB_SUCCESS)
        return 0;
    memcpy(&before, old.mv_data, sizeof before);
    index = (MDB_val){sizeof before, &before};
    check(mdb_del(txn, by_value, &index, &key));
    check(mdb_del(txn, records, &key, NULL));
    return 1;
}

static void scan(MDB_dbi table)
{
    MDB_txn *txn = begin(MDB_RDONLY);
    MDB_cursor *cursor;
    MDB_val key, data;
    unsigned long count = 0, hash = 0;
    MDB_stat stat;

    check(mdb_cursor_open(txn, table, &cursor));
    while (mdb_cursor_get(cursor, &key, &data, MDB_NEXT) == MDB_SUCCESS) {
        count++;
        hash = hash * 31 + key.mv_size + 7 * data.mv_size +
               ((unsigned char *)data.mv_data)[data.mv_size - 1];
    }
    mdb_cursor_close(cursor);
    check(mdb_stat(txn, table, &stat));
    mdb_txn_abort(txn);
    printf("%lu records in %u levels, %lx\n", count, stat.ms_depth, hash);
}

/* The records from some places on. */
static void ranges(unsigned n)
{
    MDB_txn *txn = begin(MDB_RDONLY);
    MDB_cursor *cursor;
    unsigned long sum = 0;

    check(mdb_cursor_open(txn, records, &cursor));
    for (unsigned i = 0; i < n; i++) {
        char space[32];
        MDB_val key = key_of(space, sizeof space, next(2 * n)), data;
        MDB_cursor_op step = MDB_SET_RANGE;

        for (int k = 0;
            k < 5 && mdb_cursor_get(cursor, &key, &data, step) == MDB_SUCCESS; k++) {
            sum += data.mv_size;
            step = MDB_NEXT;
        }
    }
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
    printf("%lu bytes in ranges\n", sum);
}

static void change(unsigned n)
{
    unsigned long deleted = 0;

    for (unsigned i = 0; i < n; i += batch) {
        MDB_txn *txn = begin(0);

        for (unsigned k = i; k < i + batch && k < n; k++) {
            unsigned number = next(2 * n);

            if (k % 3 == 0)
                deleted += (unsigned long)remove_record(txn, number);
            else
                put(txn, number, next(n / 8 + 1));
        }
        /* Sometimes nothing of it happened. */
        if (i / batch % 10 == 9)
            mdb_txn_abort(txn);
        else
            check(mdb_txn_commit(txn));
    }
    printf("%lu deleted\n", deleted);
}

int main(int argc, char **argv)
{
    unsigned n = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    MDB_txn *txn;

    if (n == 0) {
        fputs("usage: lmdb RECORDS\n", stderr);
        return 2;
    }
    unlink(FILE_NAME);
    check(mdb_env_create(&env));
    check(mdb_env_set_maxdbs(env, 2));
    check(mdb_env_set_mapsize(env, (size_t)1 << 30));
    check(mdb_env_open(env, FILE_NAME, MDB_NOSUBDIR | MDB_NOSYNC | MDB_NOLOCK, 0600));
    txn = begin(0);
    check(mdb_dbi_open(txn, "records", MDB_CREATE, &records));
    check(mdb_dbi_open(txn, "by value", MDB_CREATE | MDB_DUPSORT, &by_value));
    check(mdb_txn_commit(txn));
    for (int round = 0; round < 2; round++) {
        change(n);
        scan(records);
        scan(by_value);
        ranges(n / 2);
    }
    mdb_env_close(env);
    unlink(FILE_NAME);
    return 0;
}
