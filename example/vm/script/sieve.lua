-- Primes by the sieve of Eratosthenes, several times over.
local n = tonumber(arg and arg[1]) or 20000

local function sieve(most)
  local is_composite, count = {}, 0
  for i = 2, most do
    if not is_composite[i] then
      count = count + 1
      for k = i * i, most, i do
        is_composite[k] = true
      end
    end
  end
  return count
end

local sum = 0
for _ = 1, 10 do
  sum = sum + sieve(n)
end
print(sum // 10)
