/* SPDX-License-Identifier: MIT */
/* What the C files of the unit tests offer to their test case. */
#ifndef TICKWHEEL_TEST_C_FACE_H
#define TICKWHEEL_TEST_C_FACE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Each returns the line of its first failed check, or 0. */
int c_face(void);
int c_face_time_first(void);

#ifdef __cplusplus
}
#endif

#endif
