const open = '.ant-dropdown-open, .ant-popover-open'
const own = '[role=dialog], [role=menu], [role=listbox], input, textarea'

/** Whether a key of the page is for what is written, for what is open over it, or was for something already. */
export const isElsewhere = ({ target, defaultPrevented }: KeyboardEvent) =>
  defaultPrevented || (target as Element).closest(`${own}, ${open}`) !== null
