// A store of LevelDB in the current folder: as many changes as the argument says, in batches, with compactions, lookups and
// iterators between them. Prints counts and hashes of what is there.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"

static unsigned long long random_state = 1;

static unsigned next(unsigned below)
{
    random_state = random_state * 16807 % 2147483647;
    return static_cast<unsigned>(random_state % below);
}

static void check(const leveldb::Status &status)
{
    if (status.ok())
        return;
    fprintf(stderr, "leveldb: %s\n", status.ToString().c_str());
    exit(3);
}

static std::string key_of(unsigned number)
{
    char key[32];

    snprintf(key, sizeof key, "key/%03u/%07u", number % 89, number);
    return key;
}

static void change(leveldb::DB &store, unsigned n, unsigned keys)
{
    const unsigned batch_size = 50;

    for (unsigned i = 0; i < n; i += batch_size) {
        leveldb::WriteBatch batch;

        for (unsigned k = 0; k < batch_size; k++) {
            std::string key = key_of(next(keys));
            unsigned kind = next(5);

            if (kind == 0)
                batch.Delete(key);
            else
                batch.Put(
                    key, std::string(20 + next(60), static_cast<char>('a' + kind)));
        }
        check(store.Write(leveldb::WriteOptions(), &batch));
    }
}

static void look_up(leveldb::DB &store, unsigned n, unsigned keys)
{
    unsigned long found = 0, bytes = 0;
    std::string value;

    for (unsigned i = 0; i < n; i++) {
        leveldb::Status status =
            store.Get(leveldb::ReadOptions(), key_of(next(2 * keys)), &value);

        if (status.IsNotFound())
            continue;
        check(status);
        found++;
        bytes += value.size();
    }
    printf("%lu found, %lu bytes\n", found, bytes);
}

static void iterate(leveldb::DB &store, const leveldb::Snapshot *snapshot)
{
    leveldb::ReadOptions options;
    unsigned long count = 0, hash = 0;

    options.snapshot = snapshot;
    options.verify_checksums = true;
    std::unique_ptr<leveldb::Iterator> i(store.NewIterator(options));
    for (i->SeekToFirst(); i->Valid(); i->Next()) {
        count++;
        hash = hash * 31 + i->key().size() + static_cast<unsigned char>(i->key()[12]) +
               i->value().size() * 7 + static_cast<unsigned char>(i->value()[0]);
    }
    // Backwards through a part.
    for (i->Seek("key/044/"); i->Valid() && i->key().starts_with("key/04"); i->Prev())
        hash = hash * 31 + i->value().size();
    check(i->status());
    printf("%lu records, %lx\n", count, hash);
}

int main(int argc, char **argv)
{
    unsigned n =
        argc == 2 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 0;
    std::unique_ptr<const leveldb::FilterPolicy> filter(
        leveldb::NewBloomFilterPolicy(10));
    std::unique_ptr<leveldb::Cache> cache(leveldb::NewLRUCache(4 << 20));
    const unsigned rounds = 6;
    leveldb::Options options;
    leveldb::DB *opened;

    if (n == 0) {
        fputs("usage: leveldb CHANGES\n", stderr);
        return 2;
    }
    options.create_if_missing = true;
    options.compression = leveldb::kNoCompression;
    options.filter_policy = filter.get();
    options.block_cache = cache.get();
    // What is written in a round fits, so the thread in the background works only while this one waits for it.
    options.write_buffer_size = 256 << 20;
    check(leveldb::DestroyDB("store", options));
    check(leveldb::DB::Open(options, "store", &opened));
    for (unsigned round = 0; round < rounds; round++) {
        const leveldb::Snapshot *before = opened->GetSnapshot();

        change(*opened, n / rounds, n / 2);
        iterate(*opened, before);
        opened->ReleaseSnapshot(before);
        if (round % 2 == 1)
            opened->CompactRange(nullptr, nullptr);
        look_up(*opened, n / rounds, n / 2);
        // The log is replayed.
        if (round == 2) {
            delete opened;
            check(leveldb::DB::Open(options, "store", &opened));
        }
    }
    iterate(*opened, nullptr);
    delete opened;
    check(leveldb::DestroyDB("store", options));
    return 0;
}
