-- Words of a text that is made here: patterns, tables, sorting, closures, methods, tail calls.
local n = tonumber(arg and arg[1]) or 3000

local Random = {}
Random.__index = Random

function Random.new(seed)
  return setmetatable({state = seed}, Random)
end

function Random:next(most)
  self.state = (self.state * 1103515245 + 12345) % 2147483648
  return self.state // 65536 % most + 1
end

local syllables = {"ka", "lo", "mi", "ne", "pu", "ra", "so", "ti"}

local function word(random, length)
  if length == 0 then
    return ""
  end
  return syllables[random:next(#syllables)] .. word(random, length - 1)
end

local function text(random)
  local out = {}
  for i = 1, n do
    out[i] = word(random, random:next(3))
  end
  return table.concat(out, " ")
end

local function counter()
  local counts = {}
  return function(w)
    counts[w] = (counts[w] or 0) + 1
  end, counts
end

local function length_of(s, i, sum)
  if i > #s then
    return sum
  end
  return length_of(s, i + 1, sum + (s:byte(i) == 32 and 0 or 1))
end

local all = text(Random.new(42))
local add, counts = counter()
for w in all:gmatch("%a+") do
  add(w)
end
local list = {}
for w in pairs(counts) do
  list[#list + 1] = w
end
table.sort(list, function(a, b)
  if counts[a] ~= counts[b] then
    return counts[a] > counts[b]
  end
  return a < b
end)
for i = 1, 3 do
  print(list[i], counts[list[i]])
end
print(#list, length_of(all, 1, 0))
