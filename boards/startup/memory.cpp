// SPDX-License-Identifier: MIT
// GCC and clang may call these functions in freestanding code, for example to copy a
// structure. No C library is linked that could bring them.
#include <stddef.h>

extern "C" {

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);

// The empty asm keeps the compiler from turning a loop into a call of memcpy(), which would call itself.

void *memcpy(void *to, const void *from, size_t size)
{
    char *out = static_cast<char *>(to);
    const char *in = static_cast<const char *>(from);
    for (size_t i = 0; i < size; ++i) {
        out[i] = in[i];
        __asm__ volatile("");
    }
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    char *out = static_cast<char *>(to);
    const char *in = static_cast<const char *>(from);
    if (out <= in) {
        return memcpy(to, from, size);
    }
    for (size_t i = size; i-- > 0;) {
        out[i] = in[i];
        __asm__ volatile("");
    }
    return to;
}

void *memset(void *to, int value, size_t size)
{
    char *out = static_cast<char *>(to);
    for (size_t i = 0; i < size; ++i) {
        out[i] = static_cast<char>(value);
        __asm__ volatile("");
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *left = static_cast<const unsigned char *>(a);
    const unsigned char *right = static_cast<const unsigned char *>(b);
    for (size_t i = 0; i < size; ++i) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}
}
