import { useAtomValue } from 'jotai'
import { useLocation } from 'react-router-dom'
import { CallError, page } from '../client/call'
import { sendCommand as sendAndLookUp } from '../client/command'
import type { Endpoint, Input, Output } from '../contract/endpoint'
import { paths } from '../screens/paths'
import { isEditModeAtom } from '../session/application'
import { store } from '../session/store'

const editModeRefusal = '编辑模式下不下发命令'

/** Why no command may leave this page now, for the buttons that would send one. */
export function useCommandRefusal() {
  const isEditMode = useAtomValue(isEditModeAtom)
  const { pathname } = useLocation()
  return isEditMode && pathname === paths.home() ? editModeRefusal : undefined
}

type Options = Parameters<typeof sendAndLookUp>[2] & {
  /** It stops commands, or lets a lamp show where it hangs, which is what one wants to know while placing it. */
  isAllowedInEditMode?: boolean
}

/**
 * Makes a call that lets devices do something, and looks up what became of it where no answer comes; the only way by which
 * home makes such calls. In edit mode home sends none, whichever button, dialog, message or sentence asks for it.
 */
export async function sendCommand<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { isAllowedInEditMode, ...options }: Options = {},
): Promise<Output<E>> {
  const isHeldBack = store.get(isEditModeAtom) && location.pathname === paths.home()
  if (isHeldBack && !isAllowedInEditMode) {
    page.showError(editModeRefusal)
    throw new CallError(editModeRefusal)
  }
  return sendAndLookUp(endpoint, input, options)
}
