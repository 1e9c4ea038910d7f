#include "base/base.h"
#include "base/order.h"

uint64_t trod_mix(uint64_t hash, uint64_t value)
{
    uint64_t x = hash * UINT64_C(0x9e3779b97f4a7c15) + value + 1;

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

unsigned trod_bit_width(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

uint64_t trod_sat_add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t trod_sat_mul(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

bool trod_is_among(const uint64_t *ascending, size_t count, uint64_t value)
{
    size_t low = TROD_LOWER_BOUND(middle, 0, count, ascending[middle] < value);

    return low < count && ascending[low] == value;
}
