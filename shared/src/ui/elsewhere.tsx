const openPopupSelector = '.ant-dropdown-open, .ant-popover-open'
const keyConsumerSelector = '[role=dialog], [role=menu], [role=listbox], input, textarea'

/**
 * Returns true if a keyboard shortcut of the page must ignore the key: it belongs to an input or a popup, or was
 * already handled.
 */
export const isKeyForInputOrPopup = ({ target, defaultPrevented }: KeyboardEvent) =>
  defaultPrevented ||
  (target as Element).closest(`${keyConsumerSelector}, ${openPopupSelector}`) !== null

/** @deprecated Use {@link isKeyForInputOrPopup}; kept for remotes that were built before. */
export const isElsewhere = isKeyForInputOrPopup
