import { useAtomValue } from 'jotai'
import { useLocation } from 'react-router-dom'
import { CallError, failureHandlers } from '../client/call'
import { sendCommand as sendAndLookUp } from '../client/command'
import type { Endpoint, Input, Output } from '../contract/endpoint'
import { getPageAddress } from '../contract/platform/siteAddress'
import { paths } from '../screens/paths'
import { isEditModeAtom } from '../session/application'
import { store } from '../session/store'

const editModeRefusal = '编辑模式下不下发命令'

/** Returns why this page may send no command now, for the buttons that would send one. */
export function useCommandRefusalReason() {
  const isEditMode = useAtomValue(isEditModeAtom)
  const { pathname } = useLocation()
  return isEditMode && pathname === paths.home() ? editModeRefusal : undefined
}

type Options = Parameters<typeof sendAndLookUp>[2] & {
  /** Allowed in edit mode: the call stops commands or makes a lamp flash, which helps to place it. */
  isAllowedInEditMode?: boolean
}

/**
 * Sends a command to devices and looks up its outcome if no response arrives; all commands of the home page use it.
 * The home page sends none in edit mode.
 */
export async function sendCommand<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { isAllowedInEditMode, ...options }: Options = {},
): Promise<Output<E>> {
  const isBlockedByEditMode =
    store.get(isEditModeAtom) && getPageAddress().pathname === paths.home()
  if (isBlockedByEditMode && !isAllowedInEditMode) {
    failureHandlers.showError(editModeRefusal)
    throw new CallError(editModeRefusal)
  }
  return sendAndLookUp(endpoint, input, options)
}

/** @deprecated Use {@link useCommandRefusalReason}; kept for remotes that were built before. */
export const useCommandRefusal = useCommandRefusalReason
