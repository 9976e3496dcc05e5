/*
 * config_value.c - option values: text to field and back.
 *
 * Numbers are read by hand: strtoul and strtod accept signs, white space, hexadecimal and the
 * decimal comma of a locale, none of which belongs in a configuration.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "config/config_int.h"
#include "core/base/base_err.h"

enum { MIB_SHIFT = 20, FRACTION_DIGITS = 12 };
static const uint64_t fraction_unit = UINT64_C(1000000000000); /* 10 ^ FRACTION_DIGITS */

static void *field_of(struct config *config, const struct config_option *option)
{
    return (char *)config + option->offset;
}

static const void *const_field_of(const struct config *config, const struct config_option *option)
{
    return (const char *)config + option->offset;
}

/* ---- numbers -------------------------------------------------------------------------- */

/* Reads digits; returns what follows them, NULL: no digit, or over 64 bits. */
static const char *read_digits(const char *text, uint64_t *out)
{
    const char *at = text;
    uint64_t n = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (n > (UINT64_MAX - digit) / 10)
            return NULL;
        n = 10 * n + digit;
    }
    *out = n;
    return at == text ? NULL : at;
}

static int set_unsigned(const struct config_option *option, const char *text, unsigned *out)
{
    uint64_t n;
    const char *rest = read_digits(text, &n);
    if (!rest || *rest)
        return BASE_ERR_SYNTAX;
    if (n < option->min || n > option->max)
        return BASE_ERR_RANGE;
    *out = (unsigned)n;
    return 0;
}

static const struct unit {
    const char *name;
    unsigned shift;
} units[] = {{"GiB", 30}, {"MiB", 20}, {"KiB", 10}, {"", 0}};

static int set_size(const struct config_option *option, const char *text, uint64_t *out)
{
    uint64_t n;
    const char *rest = read_digits(text, &n);
    if (!rest)
        return BASE_ERR_SYNTAX;
    for (size_t i = 0; i < BASE_COUNT(units); i++) {
        if (strcmp(rest, units[i].name) != 0)
            continue;
        if (n > option->max >> units[i].shift || n << units[i].shift < option->min)
            return BASE_ERR_RANGE;
        *out = n << units[i].shift;
        return 0;
    }
    return BASE_ERR_SYNTAX;
}

/* The largest unit that divides the size: 1048576 prints as 1MiB. */
static void print_size(uint64_t bytes, struct base_buf *out)
{
    size_t i = 0;
    while (bytes & ((UINT64_C(1) << units[i].shift) - 1))
        i++;
    base_buf_printf(out, "%" PRIu64 "%s", bytes >> units[i].shift, units[i].name);
}

/* ".5" -> 500000000000 / 10^12; returns what follows, NULL: no digit, or too many. */
static const char *read_fraction(const char *text, uint64_t *out)
{
    const char *rest = read_digits(text + 1, out);
    if (!rest || rest - text - 1 > FRACTION_DIGITS)
        return NULL;
    for (ptrdiff_t digits = rest - text - 1; digits < FRACTION_DIGITS; digits++)
        *out *= 10;
    return rest;
}

static int set_mib(const struct config_option *option, const char *text, uint64_t *out)
{
    uint64_t whole, fraction = 0, bytes;
    const char *rest = read_digits(text, &whole);
    if (rest && *rest == '.')
        rest = read_fraction(rest, &fraction);
    if (!rest || *rest)
        return BASE_ERR_SYNTAX;
    if (whole > option->max >> MIB_SHIFT)
        return BASE_ERR_RANGE;
    /* fraction < 10^12, times 2^20 < 2^60: fits */
    bytes = (whole << MIB_SHIFT) + (fraction << MIB_SHIFT) / fraction_unit;
    if ((bytes < option->min || bytes > option->max) && (whole || fraction))
        return BASE_ERR_RANGE;
    *out = bytes;
    return 0;
}

/* Rounded up to 12 digits, which set_mib, rounding down, turns into the same bytes. */
static void print_mib(uint64_t bytes, struct base_buf *out)
{
    uint64_t rest = bytes & ((UINT64_C(1) << MIB_SHIFT) - 1);
    uint64_t fraction = (rest * fraction_unit + (UINT64_C(1) << MIB_SHIFT) - 1) >> MIB_SHIFT;
    int digits = FRACTION_DIGITS;

    base_buf_printf(out, "%" PRIu64, bytes >> MIB_SHIFT);
    if (!fraction)
        return;
    for (; fraction % 10 == 0; digits--)
        fraction /= 10;
    base_buf_printf(out, ".%0*" PRIu64, digits, fraction);
}

/* Thousandths are whole numbers below 2^53, so a double keeps them apart. */
static int set_factor(const struct config_option *option, const char *text, double *out)
{
    const uint64_t thousandth = fraction_unit / 1000;
    uint64_t whole, fraction = 0;
    const char *rest = read_digits(text, &whole);
    if (rest && *rest == '.')
        rest = read_fraction(rest, &fraction);
    if (!rest || *rest || fraction % thousandth)
        return BASE_ERR_SYNTAX;
    if (whole > option->max / 1000)
        return BASE_ERR_RANGE;
    uint64_t thousandths = 1000 * whole + fraction / thousandth;
    if (thousandths < option->min || thousandths > option->max)
        return BASE_ERR_RANGE;
    *out = (double)thousandths / 1000;
    return 0;
}

static void print_thousandths(uint64_t thousandths, struct base_buf *out)
{
    unsigned rest = (unsigned)(thousandths % 1000);
    int digits = 3;
    base_buf_printf(out, "%" PRIu64, thousandths / 1000);
    if (!rest)
        return;
    for (; rest % 10 == 0; digits--)
        rest /= 10;
    base_buf_printf(out, ".%0*u", digits, rest);
}

static int set_limit(const struct config_option *option, const char *text, uint64_t *out)
{
    uint64_t n;
    const char *rest = read_digits(text, &n);

    if (strcmp(text, "none") == 0)
        *out = CONFIG_LIMIT_NONE;
    else if (option->optional && strcmp(text, "auto") == 0)
        *out = CONFIG_LIMIT_AUTO;
    else if (!rest || *rest)
        return BASE_ERR_SYNTAX;
    else if (n < option->min || n > option->max)
        return BASE_ERR_RANGE;
    else
        *out = n;
    return 0;
}

static void print_limit(uint64_t limit, struct base_buf *out)
{
    if (limit == CONFIG_LIMIT_NONE)
        base_buf_text(out, "none");
    else if (limit == CONFIG_LIMIT_AUTO)
        base_buf_text(out, "auto");
    else
        base_buf_printf(out, "%" PRIu64, limit);
}

/* ---- enums ---------------------------------------------------------------------------- */

static_assert(sizeof(enum base_log_level) == sizeof(unsigned) &&
                  sizeof(enum config_log_format) == sizeof(unsigned) &&
                  sizeof(enum config_answer) == sizeof(unsigned),
              "enum fields are read and written as unsigned");

static int set_enum(const struct config_option *option, const char *text, unsigned *out)
{
    for (unsigned i = 0; option->names[i]; i++) {
        if (strcmp(option->names[i], text) == 0) {
            *out = i;
            return 0;
        }
    }
    return BASE_ERR_SYNTAX;
}

/* ---- strings and lists ---------------------------------------------------------------- */

static int copy(struct config *config, const char *text, size_t length, const char **out)
{
    *out = base_arena_text(&config->arena, text, length);
    return *out ? 0 : BASE_ERR_NOMEM;
}

static int set_string(struct config *config, const struct config_option *option, const char *text)
{
    const char **field = field_of(config, option);
    if (!*text) {
        *field = NULL;
        return option->optional ? 0 : BASE_ERR_RANGE;
    }
    return copy(config, text, strlen(text), field);
}

static int add_item(struct config *config, const struct config_option *option, const char *text)
{
    struct config_list *list = field_of(config, option);
    if (option->is_valid && !option->is_valid(text))
        return BASE_ERR_SYNTAX;
    if (list->n == CONFIG_MAX_LIST)
        return BASE_ERR_TOO_LARGE;
    list->item[list->n++] = text;
    return 0;
}

/* Splits "HOST:PORT" and "[IPV6]:PORT". A bare IPv6 literal is refused: its last group would be
 * taken for a port. */
static int parse_tcp(struct config *config, const char *text, struct config_address *out)
{
    const char *colon = strrchr(text, ':');
    const char *host = text, *end = colon, *rest;
    uint64_t port;

    if (!colon)
        return BASE_ERR_SYNTAX;
    if (*text == '[') {
        host++;
        end--;
        if (end <= host || *end != ']' || memchr(host, ']', (size_t)(end - host)))
            return BASE_ERR_SYNTAX;
    } else if (memchr(host, ':', (size_t)(end - host))) {
        return BASE_ERR_SYNTAX;
    }
    rest = read_digits(colon + 1, &port);
    if (end == host || !rest || *rest)
        return BASE_ERR_SYNTAX;
    if (port > UINT16_MAX)
        return BASE_ERR_RANGE;
    out->port = (uint16_t)port;
    return copy(config, host, (size_t)(end - host), &out->host);
}

static int add_address(struct config *config, const struct config_option *option, const char *text)
{
    static const char unix_prefix[] = "unix:";
    struct config_addresses *list = field_of(config, option);
    struct config_address address = {.text = text};
    int code = 0;

    if (strncmp(text, unix_prefix, strlen(unix_prefix)) != 0)
        code = parse_tcp(config, text, &address);
    else if (text[strlen(unix_prefix)] == '/')
        address.path = text + strlen(unix_prefix);
    else
        code = BASE_ERR_SYNTAX;
    if (code)
        return code;
    if (list->n == CONFIG_MAX_LIST)
        return BASE_ERR_TOO_LARGE;
    list->item[list->n++] = address;
    return 0;
}

/* Adds every item of a comma list; an empty text adds nothing, an empty item is refused. */
static int add_items(struct config *config, const struct config_option *option, const char *text)
{
    if (!*text)
        return option->optional ? 0 : BASE_ERR_RANGE;
    for (const char *end;; text = end + 1) {
        const char *start = text + strspn(text, " \t"), *item;
        size_t length;
        int code;

        end = start + strcspn(start, ",");
        for (length = (size_t)(end - start); length && strchr(" \t", start[length - 1]);)
            length--;
        if (!length)
            return BASE_ERR_SYNTAX;
        code = copy(config, start, length, &item);
        if (!code)
            code = option->type == CONFIG_TYPE_LIST ? add_item(config, option, item)
                                                    : add_address(config, option, item);
        if (code || !*end)
            return code;
    }
}

/* ---- by type -------------------------------------------------------------------------- */

int config__set(struct config *config, const struct config_option *option, const char *text)
{
    switch (option->type) {
    case CONFIG_TYPE_STRING:
        return set_string(config, option, text);
    case CONFIG_TYPE_LIST:
    case CONFIG_TYPE_ADDRESSES:
        return add_items(config, option, text);
    case CONFIG_TYPE_UNSIGNED:
        return set_unsigned(option, text, field_of(config, option));
    case CONFIG_TYPE_SIZE:
        return set_size(option, text, field_of(config, option));
    case CONFIG_TYPE_MIB:
        return set_mib(option, text, field_of(config, option));
    case CONFIG_TYPE_FACTOR:
        return set_factor(option, text, field_of(config, option));
    case CONFIG_TYPE_LIMIT:
        return set_limit(option, text, field_of(config, option));
    case CONFIG_TYPE_ENUM:
        return set_enum(option, text, field_of(config, option));
    case CONFIG_TYPE_ACTION:
        break;
    }
    config->action = option->action;
    return 0;
}

void config__clear(struct config *config, const struct config_option *option)
{
    if (option->type == CONFIG_TYPE_LIST)
        ((struct config_list *)field_of(config, option))->n = 0;
    else if (option->type == CONFIG_TYPE_ADDRESSES)
        ((struct config_addresses *)field_of(config, option))->n = 0;
}

static void print_list(const struct config_list *list, struct base_buf *out)
{
    for (size_t i = 0; i < list->n; i++)
        base_buf_printf(out, "%s%s", i ? "," : "", list->item[i]);
}

static void print_addresses(const struct config_addresses *list, struct base_buf *out)
{
    for (size_t i = 0; i < list->n; i++)
        base_buf_printf(out, "%s%s", i ? "," : "", list->item[i].text);
}

void config__print(const struct config *config, const struct config_option *option,
                   struct base_buf *out)
{
    const void *field = const_field_of(config, option);
    switch (option->type) {
    case CONFIG_TYPE_STRING:
        if (*(const char *const *)field)
            base_buf_text(out, *(const char *const *)field);
        break;
    case CONFIG_TYPE_LIST:
        print_list(field, out);
        break;
    case CONFIG_TYPE_ADDRESSES:
        print_addresses(field, out);
        break;
    case CONFIG_TYPE_UNSIGNED:
        base_buf_printf(out, "%u", *(const unsigned *)field);
        break;
    case CONFIG_TYPE_SIZE:
        print_size(*(const uint64_t *)field, out);
        break;
    case CONFIG_TYPE_MIB:
        print_mib(*(const uint64_t *)field, out);
        break;
    case CONFIG_TYPE_FACTOR:
        print_thousandths((uint64_t)(*(const double *)field * 1000 + 0.5), out);
        break;
    case CONFIG_TYPE_LIMIT:
        print_limit(*(const uint64_t *)field, out);
        break;
    case CONFIG_TYPE_ENUM:
        base_buf_text(out, option->names[*(const unsigned *)field]);
        break;
    case CONFIG_TYPE_ACTION:
        break;
    }
}

static void print_names(const struct config_option *option, struct base_buf *out)
{
    for (unsigned i = 0; option->names[i]; i++) {
        const char *joint = i == 0 ? "" : option->names[i + 1] ? ", " : " or ";
        base_buf_printf(out, "%s%s", joint, option->names[i]);
    }
}

void config__print_accepted(const struct config_option *option, struct base_buf *out)
{
    switch (option->type) {
    case CONFIG_TYPE_STRING:
        base_buf_text(out, "a text that is not empty");
        break;
    case CONFIG_TYPE_LIST:
        base_buf_printf(out, "%s, at most %d of them, separated by commas", option->accepts,
                        CONFIG_MAX_LIST);
        break;
    case CONFIG_TYPE_ADDRESSES:
        base_buf_printf(out,
                        "HOST:PORT, [IPV6]:PORT or unix:/PATH with a port from 0 to 65535, at most "
                        "%d of them, separated by commas",
                        CONFIG_MAX_LIST);
        break;
    case CONFIG_TYPE_UNSIGNED:
        base_buf_printf(out, "a whole number from %" PRIu64 " to %" PRIu64, option->min,
                        option->max);
        break;
    case CONFIG_TYPE_SIZE:
        base_buf_text(out, "a number of bytes, or one followed by KiB, MiB or GiB, from ");
        print_size(option->min, out);
        base_buf_text(out, " to ");
        print_size(option->max, out);
        break;
    case CONFIG_TYPE_MIB:
        base_buf_text(out, "a number of MiB such as 512 or 0.25, with at most 12 decimals, 0 or "
                           "from ");
        print_mib(option->min, out);
        base_buf_text(out, " to ");
        print_mib(option->max, out);
        break;
    case CONFIG_TYPE_FACTOR:
        base_buf_text(out, "a number with at most 3 decimals from ");
        print_thousandths(option->min, out);
        base_buf_text(out, " to ");
        print_thousandths(option->max, out);
        break;
    case CONFIG_TYPE_LIMIT:
        base_buf_printf(out, "a whole number from %" PRIu64 " to %" PRIu64 ", none%s", option->min,
                        option->max, option->optional ? " or auto" : "");
        break;
    case CONFIG_TYPE_ENUM:
        print_names(option, out);
        break;
    case CONFIG_TYPE_ACTION:
        base_buf_text(out, "no value");
        break;
    }
}
