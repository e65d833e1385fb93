const open = '.ant-dropdown-open, .ant-popover-open'
const own = '[role=dialog], [role=menu], [role=listbox], input, textarea'

/**
 * Returns true if a keyboard shortcut of the page must ignore the key: it belongs to an input or a popup, or was
 * already handled.
 */
export const isElsewhere = ({ target, defaultPrevented }: KeyboardEvent) =>
  defaultPrevented || (target as Element).closest(`${own}, ${open}`) !== null
