// SPDX-License-Identifier: MIT
// Finds the command that a line names, checks its numbers, and calls it.
#ifndef SHELL_COMMAND_LINE_HPP
#define SHELL_COMMAND_LINE_HPP

#include "line_editor.hpp"

namespace command_line
{

/// The numbers of a line, as the command's usage names them.
struct arguments {
    uint32_t timer; ///< T
    uint32_t ticks; ///< N
};

struct command {
    /// The name, then T or N for each number: "mod T N".
    const char *usage;
    void (*run)(const arguments &);
    /// nullptr: `help` does not list the command.
    const char *help;
};

/// Cuts the next word off `text`: ends it with a zero and moves `text` behind it. The word is empty at the line's
/// end.
inline char *next_word(char *&text)
{
    while (*text == ' ') {
        ++text;
    }
    char *word = text;
    while (*text != 0 && *text != ' ') {
        ++text;
    }
    if (*text != 0) {
        *text++ = 0;
    }
    return word;
}

/// @return what follows the name in the usage, or nullptr if it is another name
inline const char *after_name(const char *usage, const char *name)
{
    while (*name != 0 && *usage == *name) {
        ++usage;
        ++name;
    }
    return *name == 0 && (*usage == 0 || *usage == ' ') ? usage : nullptr;
}

/// @return false if `word` is not a number from 1 to `largest`
inline bool parse(const char *word, uint32_t largest, uint32_t &value)
{
    value = 0;
    for (; *word >= '0' && *word <= '9'; ++word) {
        const uint32_t units = static_cast<uint32_t>(*word - '0');
        if (value > (largest - units) / 10) {
            return false;
        }
        value = value * 10 + units;
    }
    return *word == 0 && value != 0;
}

inline void run_with_arguments(const command &known, const char *letters, char *rest, const arguments &largest)
{
    arguments given = {};
    for (; *letters != 0; ++letters) {
        if (*letters == ' ') {
            continue;
        }
        const auto number = *letters == 'T' ? &arguments::timer : &arguments::ticks;
        const char *word = next_word(rest);
        if (!parse(word, largest.*number, given.*number)) {
            const char letter[] = {*letters, 0};
            print(known.usage, ": ", letter, " must be a number from 1 to ", largest.*number,
                  *word != 0 ? ", not " : "", word, "\n");
            return;
        }
    }
    const char *extra = next_word(rest);
    if (*extra != 0) {
        print(known.usage, ": '", extra, "' is one word too many\n");
        return;
    }
    known.run(given);
}

/// Runs the command that `line` names, or prints why it cannot. Does nothing for an empty line or a comment (#). The
/// range of each number is 1 to `largest`.
template <unsigned Count>
void run(const char *line, const command (&commands)[Count], const arguments &largest)
{
    char words[line_editor::longest + 1] = {};
    for (unsigned i = 0; i < line_editor::longest && line[i] != 0; ++i) {
        words[i] = line[i];
    }
    char *rest = words;
    const char *name = next_word(rest);
    if (*name == 0 || *name == '#') {
        return;
    }
    for (const command &each : commands) {
        const char *letters = after_name(each.usage, name);
        if (letters != nullptr) {
            run_with_arguments(each, letters, rest, largest);
            return;
        }
    }
    print("'", name, "' is not a command: `help` lists the commands\n");
}

} // namespace command_line

#endif
