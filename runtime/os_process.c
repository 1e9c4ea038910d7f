#include "os.h"

/* "/proc/PID/stat" */
static void name_status(char path[32], uint32_t pid)
{
    static const char before[] = "/proc/", behind[] = "/stat";
    unsigned at = 0, digits = 1, i;
    uint32_t left;

    for (i = 0; before[i]; i++)
        path[at++] = before[i];
    for (left = pid; left > 9; left /= 10)
        digits++;
    for (left = pid, i = digits; i; left /= 10)
        path[at + --i] = (char)('0' + left % 10);
    at += digits;
    for (i = 0; i < sizeof behind; i++)
        path[at + i] = behind[i];
}

/* Does the status say "PID (NAME) Z ...", with at most 1 thread, the 17th number after it? The
 * first thread of a process may have ended while others continue. The name may contain any
 * character; it ends at the last parenthesis.
 */
static bool says_ended(const char *text, int64_t length)
{
    int64_t at = length;
    unsigned nblank = 0;

    while (at > 0 && text[at - 1] != ')')
        at--;
    if (at == 0 || length - at < 3 || (text[at + 1] != 'Z' && text[at + 1] != 'X'))
        return false;
    for (at += 2; at < length && nblank < 17; at++)
        nblank += text[at] == ' ';
    return length - at > 1 && (text[at] == '0' || text[at] == '1') &&
           text[at + 1] == ' ';
}

bool __trod_os_process_ended(uint32_t pid)
{
    char path[32], text[512];
    int64_t got;
    int fd;

    name_status(path, pid);
    fd = __trod_os_open(path, TROD_OS_READ);
    if (fd < 0)
        return false;
    got = __trod_os_read(fd, text, sizeof text);
    __trod_os_close(fd);
    return says_ended(text, got);
}
