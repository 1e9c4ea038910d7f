/* The example of the README: recognise a number as C writes it. Sixteen lines of decisions
 * and, as trod shows, far more ways through them than anyone tests.
 *
 * example/number.graph is its control-flow graph, made by
 *     clang-19 -O2 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm
 *     opt-19 -S -passes=inline,sroa,early-cse,simplifycfg
 *     tools/ir-to-graph
 */
enum kind { NONE, DECIMAL, OCTAL, HEX, REAL };

static int digit(char c)
{
    return c >= '0' && c <= '9';
}

enum kind number(const char *s)
{
    enum kind kind = DECIMAL;
    int digits = 0;

    if (*s == '-' || *s == '+')
        s++;
    if (*s == '0') {
        kind = OCTAL;
        if (s[1] == 'x' || s[1] == 'X') {
            kind = HEX;
            s++;
        }
        s++;
        digits = kind == OCTAL;
    }
    for (; digit(*s) || (kind == HEX && *s >= 'a' && *s <= 'f'); s++)
        digits++;
    if (*s == '.' && kind != HEX) {
        kind = REAL;
        while (digit(*++s))
            digits++;
    }
    if (!digits)
        return NONE;
    if (*s == 'e' && kind != HEX) {
        kind = REAL;
        s++;
        if (*s == '-' || *s == '+')
            s++;
        if (!digit(*s))
            return NONE;
        while (digit(*s))
            s++;
    }
    return *s ? NONE : kind;
}
