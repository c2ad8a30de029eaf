-- SPDX-License-Identifier: GPL-3.0-or-later
-- Documents in Neovim (0.7 or later), by telescope.nvim if it is there, else by vim.ui.select().
--
-- Put this file into lua/ of the configuration:
--     vim.api.nvim_create_user_command('Tarsier', function(o) require('tarsier').search(o.args) end, { nargs = '+' })
local M = {}

local function given(value)
  return value ~= vim.NIL and value or nil
end

local function place(hit)
  return hit.path .. (given(hit.member) and '|' .. hit.member or '')
end

local function label(hit)
  local passage = hit.snippets and hit.snippets[1]
  return (vim.fn.fnamemodify(place(hit), ':~') .. '  ' .. (passage and passage.text or '')):gsub('%c+', ' ')
end

-- The hits for a query: tables as "tarsier search --json" prints them.
function M.hits(query)
  local hits = {}
  for _, line in ipairs(vim.fn.systemlist({ 'tarsier', 'search', '--json', '--limit', '100', '--', query })) do
    local ok, hit = pcall(vim.fn.json_decode, line)
    if ok and hit.type == 'hit' then table.insert(hits, hit) end
  end
  return hits
end

-- Text opens in Neovim at the passage, anything else in its viewer.
function M.open(hit)
  if given(hit.member) or (hit.kind ~= 'text' and hit.kind ~= 'code') then
    vim.fn.jobstart({ 'tarsier', 'open', '--', place(hit) }, { detach = true })
    return
  end
  vim.cmd('edit ' .. vim.fn.fnameescape(hit.path))
  local passage = hit.snippets and hit.snippets[1]
  if passage and given(passage.line) then vim.fn.cursor(passage.line, 1) end
end

local function pick_in_telescope(query, hits)
  local actions, entry = require('telescope.actions'), function(hit) return { value = hit, display = label(hit), ordinal = label(hit), path = hit.path } end
  require('telescope.pickers').new({}, {
    prompt_title = query, finder = require('telescope.finders').new_table({ results = hits, entry_maker = entry }),
    sorter = require('telescope.config').values.generic_sorter({}), attach_mappings = function(buffer)
      actions.select_default:replace(function() actions.close(buffer) M.open(require('telescope.actions.state').get_selected_entry().value) end)
      return true
    end }):find()
end

function M.search(query)
  local hits = M.hits(query)
  if #hits == 0 then return vim.notify('tarsier: nothing found') end
  if pcall(require, 'telescope') then return pick_in_telescope(query, hits) end
  vim.ui.select(hits, { prompt = query, format_item = label }, function(hit) if hit then M.open(hit) end end)
end

return M
