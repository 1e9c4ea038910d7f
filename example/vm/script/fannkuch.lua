-- Permutations, and how many prefixes must be reversed until the first element is 1. After the benchmarks game's fannkuch-redux.
local n = tonumber(arg and arg[1]) or 9

local function flips(p, q)
  local first, count = p[1], 0
  if first == 1 then
    return 0
  end
  for i = 2, n do
    q[i] = p[i]
  end
  while true do
    local next = q[first]
    count = count + 1
    if next == 1 then
      return count
    end
    q[first] = first
    if first >= 4 then
      local i, j = 2, first - 1
      repeat
        q[i], q[j] = q[j], q[i]
        i = i + 1
        j = j - 1
      until i >= j
    end
    first = next
  end
end

local function rotate(p, count)
  for r = 2, n do
    local first = p[1]
    for i = 1, r - 1 do
      p[i] = p[i + 1]
    end
    p[r] = first
    count[r] = count[r] - 1
    if count[r] > 0 then
      return true
    end
    count[r] = r
  end
  return false
end

local p, q, count = {}, {}, {}
local most, sum, sign = 0, 0, 1
for i = 1, n do
  p[i], count[i] = i, i
end
repeat
  local f = flips(p, q)
  if f > most then
    most = f
  end
  sum = sum + sign * f
  sign = -sign
until not rotate(p, count)
print(sum, most)
