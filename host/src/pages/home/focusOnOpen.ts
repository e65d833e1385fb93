/**
 * Moves the focus to a field once the dialog has opened, because antd focuses the dialog itself. It does nothing if the
 * operator has already focused a field.
 * @example <Modal afterOpenChange={focusOnOpen(() => form.focusField('note'))}>
 */
export const focusOnOpen = (focus: () => void) => (isOpen: boolean) => {
  if (isOpen && !document.activeElement?.closest('form')) focus()
}
