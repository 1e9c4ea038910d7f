/* Random numbers, gaps, lengths, thinning. */
#include "sampler.h"

__extension__ typedef unsigned __int128 trod_wide;

/* --- numbers -------------------------------------------------------------------------- */

static inline uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

/* paper: Blackman & Vigna, "Scrambled Linear Pseudorandom Number Generators": xoshiro256** */
static inline uint64_t draw(struct trod_sampler *s)
{
    uint64_t *x = s->random;
    uint64_t out = rotate(x[1] * 5, 7) * 9, old = x[1] << 17;

    x[2] ^= x[0];
    x[3] ^= x[1];
    x[1] ^= x[2];
    x[0] ^= x[3];
    x[2] ^= old;
    x[3] = rotate(x[3], 45);
    return out;
}

uint64_t __trod_sampler_random(struct trod_sampler *s)
{
    return draw(s);
}

/* By splitmix64, which never yields four zeros. */
void __trod_sampler_seed(struct trod_sampler *s, uint64_t seed)
{
    int i;

    for (i = 0; i < 4; i++) {
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        s->random[i] = z ^ z >> 31;
    }
}

/* --- logarithms: there is no libm ------------------------------------------------------ */

/* ln((1 + t) / (1 - t)) for |t| < 0.172: the terms left out are less than 1e-17. */
static inline double ln_ratio(double t)
{
    double q = t * t, sum = 1.0 / 21;

    sum = sum * q + 1.0 / 19;
    sum = sum * q + 1.0 / 17;
    sum = sum * q + 1.0 / 15;
    sum = sum * q + 1.0 / 13;
    sum = sum * q + 1.0 / 11;
    sum = sum * q + 1.0 / 9;
    sum = sum * q + 1.0 / 7;
    sum = sum * q + 1.0 / 5;
    sum = sum * q + 1.0 / 3;
    sum = sum * q + 1;
    return 2 * t * sum;
}

/* needs:  x > 0, and normal */
static inline double ln(double x)
{
    union {
        double value;
        uint64_t bits;
    } u = {x};
    int exponent = (int)(u.bits >> 52) - 1023;

    u.bits = (u.bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x3ff) << 52;
    if (u.value > 1.4142135623730951) {
        u.value /= 2;
        exponent++;
    }
    return exponent * 0.69314718055994531 + ln_ratio((u.value - 1) / (u.value + 1));
}

double __trod_sampler_ln(double x)
{
    return ln(x);
}

double __trod_sampler_per(double f)
{
    if (f <= 1)
        return 0;
    return -1 / (f > 4 ? ln_ratio(-1 / (2 * f - 1)) : ln(1 - 1 / f));
}

/* Exponential with mean 1, from 53 random bits that are not all 0. */
static inline double exponential(struct trod_sampler *s)
{
    return -ln((double)((draw(s) >> 11) + 1) * 0x1p-53);
}

/* --- draws -------------------------------------------------------------------------------- */

static inline uint64_t geometric(struct trod_sampler *s, double per)
{
    double gap = exponential(s) * per;

    return gap < (double)(UINT64_MAX / 4) ? 1 + (uint64_t)gap : UINT64_MAX / 4;
}

uint64_t __trod_sampler_gap(struct trod_sampler *s)
{
    return s->never ? UINT64_MAX / 4 : geometric(s, s->per_gap);
}

uint32_t __trod_sampler_draw_length(struct trod_sampler *s)
{
    uint64_t x = draw(s);
    uint32_t low = 0, high = s->nlength - 1;

    if (!s->likely)
        return s->shortest + (uint32_t)((trod_wide)x * s->nlength >> 64);
    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (x < s->likely[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return s->length[low];
}

/* Each of them is asked anew, since none was before: the first had taken the subpath in. */
uint64_t __trod_sampler_take_in(struct trod_sampler *s, uint64_t left)
{
    uint64_t passed = s->hold > 1 && left ? geometric(s, s->per_hold) - 1 : 0;

    return passed < left ? left - passed + s->hold - 1 : 0;
}

/* Both are powers of two. */
bool __trod_sampler_admits(struct trod_sampler *s, uint32_t *asked)
{
    uint64_t more = s->hold / (*asked ? *asked : 1);

    *asked = s->hold;
    return more < 2 || (draw(s) >> 32) * more >> 32 == 0;
}

bool __trod_sampler_keeps(struct trod_sampler *s, uint32_t times)
{
    while (times-- > 0)
        if (draw(s) >= s->keep)
            return false;
    return true;
}

/* The builtin would call libgcc. */
static inline uint64_t ones(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return ((x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) *
               UINT64_C(0x0101010101010101) >>
           56;
}

/* cost: O(count / 64) for halves; otherwise O(the number that is kept or dropped, whichever is smaller) */
uint64_t __trod_sampler_thin(struct trod_sampler *s, uint64_t count)
{
    uint64_t left = 0, at = 0, n = 0;

    if (s->keep == UINT64_C(1) << 63) {
        for (; count >= 64; count -= 64)
            left += ones(draw(s));
        return count ? left + ones(draw(s) >> (64 - count)) : left;
    }
    for (;; n++) {
        at += geometric(s, s->per_thin);
        if (at > count)
            return s->keep >> 63 ? count - n : n;
    }
}
