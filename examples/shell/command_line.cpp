// SPDX-License-Identifier: MIT
#include "command_line.hpp"

#include "console.hpp"

namespace
{

using command_line::arguments;
using command_line::command;
using console::print_line;

// Cuts the next word off `text`: ends it with a zero and moves `text` behind it. The word is empty at the line's end.
char *next_word(char *&text)
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

// @return what follows the name in the usage, or nullptr if it is another name
const char *after_name(const char *usage, const char *name)
{
    while (*name != 0 && *usage == *name) {
        ++usage;
        ++name;
    }
    return *name == 0 && (*usage == 0 || *usage == ' ') ? usage : nullptr;
}

// @return false if `word` is not a number from 1 to `largest`
bool parse(const char *word, uint32_t largest, uint32_t &value)
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

void run_with_arguments(const command &known, const char *letters, char *rest)
{
    arguments given = {};
    for (; *letters != 0; ++letters) {
        if (*letters == ' ') {
            continue;
        }
        const bool is_timer = *letters == 'T';
        const uint32_t largest = is_timer ? command_line::largest.timer : command_line::largest.ticks;
        const char *word = next_word(rest);
        uint32_t value = 0;
        if (!parse(word, largest, value)) {
            const char letter[] = {*letters, 0};
            print_line(known.usage, ": ", letter, " must be a number from 1 to ", largest, *word != 0 ? ", not " : "",
                       word);
            return;
        }
        if (is_timer) {
            given.timer = value;
        } else {
            given.ticks = value;
        }
    }
    const char *extra = next_word(rest);
    if (*extra != 0) {
        print_line(known.usage, ": '", extra, "' is one word too many");
        return;
    }
    known.run(given);
}

} // namespace

void command_line::run(const char *line, const command *first, const command *end)
{
    char words[console::longest_line + 1];
    unsigned length = 0;
    for (; length < console::longest_line && line[length] != 0; ++length) {
        words[length] = line[length];
    }
    words[length] = 0;
    char *rest = words;
    const char *name = next_word(rest);
    if (*name == 0 || *name == '#') {
        return;
    }
    for (; first != end; ++first) {
        const char *letters = after_name(first->usage, name);
        if (letters != nullptr) {
            run_with_arguments(*first, letters, rest);
            return;
        }
    }
    print_line("'", name, "' is not a command: `help` lists the commands");
}
