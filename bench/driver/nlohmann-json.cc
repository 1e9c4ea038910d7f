// JSON documents, one in each line of standard input, through nlohmann's library: parsed, looked into, merged into the
// line before, flattened, encoded as CBOR and MessagePack and back, and printed; prints counts and a hash.
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

using nlohmann::json;

// Counts events, without a document.
struct counter : nlohmann::json_sax<json> {
    size_t scalars = 0, deepest = 0, deep = 0, keys = 0;

    bool scalar()
    {
        scalars++;
        return true;
    }
    bool open()
    {
        deepest = std::max(deepest, ++deep);
        return true;
    }
    bool close()
    {
        deep--;
        return true;
    }
    bool null() override
    {
        return scalar();
    }
    bool boolean(bool) override
    {
        return scalar();
    }
    bool number_integer(number_integer_t) override
    {
        return scalar();
    }
    bool number_unsigned(number_unsigned_t) override
    {
        return scalar();
    }
    bool number_float(number_float_t, const string_t &) override
    {
        return scalar();
    }
    bool string(string_t &) override
    {
        return scalar();
    }
    bool binary(binary_t &) override
    {
        return scalar();
    }
    bool start_object(std::size_t) override
    {
        return open();
    }
    bool end_object() override
    {
        return close();
    }
    bool start_array(std::size_t) override
    {
        return open();
    }
    bool end_array() override
    {
        return close();
    }
    bool key(string_t &) override
    {
        keys++;
        return true;
    }
    bool parse_error(std::size_t, const std::string &, const json::exception &) override
    {
        return false;
    }
};

static unsigned long long hash = 1;

template <typename Bytes> static void mix(const Bytes &bytes)
{
    for (unsigned char byte : bytes)
        hash = (hash ^ byte) * 1099511628211ULL;
}

int main()
{
    static const json::json_pointer lanes("/tags/lanes");
    size_t lines = 0, missing = 0, differences = 0;
    counter events;
    double north = 0;
    json merged;
    std::string line;

    while (std::getline(std::cin, line)) {
        json value = json::parse(line);
        std::vector<std::uint8_t> cbor = json::to_cbor(value),
                                  pack = json::to_msgpack(value);

        lines++;
        if (!json::sax_parse(line, &events) || json::from_cbor(cbor) != value ||
            json::from_msgpack(pack) != value)
            return 3;
        mix(cbor);
        mix(pack);
        north += value["at"]["lat"].get<double>() + value.at(lanes).get<int>();
        try {
            value.at("tags").at("oneway");
        } catch (const json::out_of_range &) {
            missing++;
        }
        differences += json::diff(merged, value).size();
        merged.merge_patch(value);
        mix(merged.flatten().dump());
        mix(value.dump(2, ' ', true));
    }
    printf("%zu %zu %zu %zu %zu %zu %.9g %016llx\n", lines, missing, differences,
        events.scalars, events.keys, events.deepest, north, hash);
    return 0;
}
