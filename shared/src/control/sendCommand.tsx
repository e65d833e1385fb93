import { useAtomValue } from 'jotai'
import { useLocation } from 'react-router-dom'
import { call, CallError, page } from '../client/call'
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

type Options = Parameters<typeof call>[2] & {
  /** A lamp shows where it hangs, which is what one wants to know while placing it. */
  isLocating?: boolean
}

/**
 * Makes a call that lets devices do something; the only way by which home makes such calls. In edit mode home sends
 * none, whichever button, dialog, message or sentence asks for it.
 */
export async function sendCommand<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { isLocating, ...options }: Options = {},
): Promise<Output<E>> {
  const isHeldBack = store.get(isEditModeAtom) && location.pathname === paths.home()
  if (isHeldBack && !isLocating) {
    page.showError(editModeRefusal)
    throw new CallError(editModeRefusal)
  }
  return call(endpoint, input, options)
}
