// SPDX-License-Identifier: MIT
#include "nrf.hpp"
