/**
 * Of a dialog, which takes the focus itself as it opens: goes to its field then, but not away from one that somebody was
 * quick enough to be in.
 * @example <Modal afterOpenChange={focusOnOpen(() => form.focusField('note'))}>
 */
export const focusOnOpen = (focus: () => void) => (isOpen: boolean) => {
  if (isOpen && !document.activeElement?.closest('form')) focus()
}
