/* SPDX-License-Identifier: MIT */
/* The declarations of a C library that the <chrono> of GCC's C++ library includes, when there is none. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long clock_t;
typedef long long time_t;
struct tm;
clock_t clock(void);
double difftime(time_t later, time_t earlier);
time_t mktime(struct tm *parts);
time_t time(time_t *now);
char *asctime(const struct tm *parts);
char *ctime(const time_t *now);
struct tm *gmtime(const time_t *now);
struct tm *localtime(const time_t *now);
size_t strftime(char *text, size_t size, const char *format, const struct tm *parts);

#ifdef __cplusplus
}
#endif
