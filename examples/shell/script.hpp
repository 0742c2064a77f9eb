// SPDX-License-Identifier: MIT
// A script is text between the lines `hold` and `go`. Its lines are collected while
// the clock stands still. They run in exact ticks then, however slowly they came in.
#ifndef SHELL_SCRIPT_HPP
#define SHELL_SCRIPT_HPP

#include <stdint.h>

namespace script
{

/// Begins to collect: `hold` was read.
void hold();

bool is_collecting();

/// Adds a line.
void add(const char *line);

/// Begins to run: `go` was read.
void go();

bool is_running();

/// The next line waits for so many ticks more.
void wait(uint32_t ticks);

/// @return the next line, or nullptr before its tick
const char *next_line();

} // namespace script

#endif
