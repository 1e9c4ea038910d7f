-- Binary trees are made, counted and dropped: work for the collector. After the benchmarks game's binary-trees.
local depth = tonumber(arg and arg[1]) or 12

local function make(d)
  if d == 0 then
    return {}
  end
  return {make(d - 1), make(d - 1)}
end

local function count(tree)
  if tree[1] then
    return 1 + count(tree[1]) + count(tree[2])
  end
  return 1
end

local long = make(depth)
for d = 4, depth, 4 do
  local n, sum = 1 << (depth - d + 4), 0
  for _ = 1, n do
    sum = sum + count(make(d))
  end
  print(n, d, sum)
end
print(depth, count(long))
