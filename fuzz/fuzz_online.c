/* Options of the online library up to a newline, then blocks, a byte each. The options are rejected with a reason, or
 * make an instance, in a heap block of exactly the given size, which reports only block sequences that ran.
 */
#include "fuzz.h"

#include "trod/online.h"

enum { MOST_BLOCKS = 4096, HOTTEST = 64 };

/* Does the input contain a block sequence, or a rotation of it? */
static bool ran(const uint8_t *bytes, size_t size, const uint32_t *block, size_t n)
{
    for (size_t at = 0; at + n <= size; at++) {
        for (size_t turn = 0; turn < n; turn++) {
            size_t i = 0;

            while (i < n && bytes[at + i] == block[(i + turn) % n])
                i++;
            if (i == n)
                return true;
        }
    }
    return false;
}

static void read_back(struct trod_online *o, const uint8_t *bytes, size_t size)
{
    static uint32_t block[TROD_ONLINE_LONGEST];
    struct trod_online_hot hot[HOTTEST];
    struct trod_online_sum sum;
    size_t n = trod_online_hottest(hot, HOTTEST, &o, 1, NULL);

    trod_online_sum(&sum, &o, 1);
    FUZZ_MUST(sum.begun <= size);
    FUZZ_MUST(sum.sampled + sum.rejected + sum.dropped <= sum.begun);
    for (size_t i = 0; i < n; i++) {
        FUZZ_MUST(trod_online_blocks(block, TROD_ONLINE_LONGEST, hot + i, &o, 1) ==
                  hot[i].length);
        FUZZ_MUST(hot[i].estimate > 0);
        FUZZ_MUST(ran(bytes, size, block, hot[i].length));
    }
}

static void feed(const char *text, const uint8_t *bytes, size_t size)
{
    struct trod_online_options options = {.text = text, .seed = 1};
    size_t room = 8192 + (size ? bytes[0] : 0) * (size_t)600;
    void *memory = malloc(room);
    const char *why = NULL;
    struct trod_online *o = trod_online_create(memory, room, &options, &why);

    FUZZ_MUST(o || why);
    for (size_t i = 0; o && i < size; i++)
        trod_online_block_of(o, bytes[i], 1 + bytes[i] % 255);
    if (o)
        read_back(o, bytes, size);
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = size ? memchr(bytes, '\n', size) : NULL;
    size_t n = end ? (size_t)(end - bytes) : size;
    char text[300];

    if (n >= sizeof text || memchr(bytes, '\0', n))
        return 0;
    memcpy(text, bytes, n);
    text[n] = '\0';
    trod_online_check(text);
    size = end ? size - n - 1 : 0;
    feed(text, size ? end + 1 : (const uint8_t *)"",
        size < MOST_BLOCKS ? size : MOST_BLOCKS);
    return 0;
}
