-- All ways to put n queens on a board, by a coroutine that yields each; and an error, caught now and then.
local n = tonumber(arg and arg[1]) or 8

local function is_safe(board, row, column)
  for r = 1, row - 1 do
    local c = board[r]
    if c == column or c - r == column - row or c + r == column + row then
      return false
    end
  end
  return true
end

local function place(board, row)
  if row > n then
    coroutine.yield(board)
    return
  end
  for column = 1, n do
    if is_safe(board, row, column) then
      board[row] = column
      place(board, row + 1)
    end
  end
end

local function solutions()
  return coroutine.wrap(function()
    place({}, 1)
  end)
end

local function first_of(board)
  if board[1] == n then
    error("the last column")
  end
  return board[1]
end

local count, sum, caught = 0, 0, 0
for board in solutions() do
  local ok, first = pcall(first_of, board)
  count = count + 1
  if ok then
    sum = sum + first
  else
    caught = caught + 1
  end
end
print(count, sum, caught)
