import { useAtomValue } from 'jotai'
import { inFlightCommandsAtom, type InFlightCommand } from '../session/outgoing'
import { formatCommand, type Announcement } from './result'

/** Returns a function that tells if a button's command is unanswered, so that the button can show it. */
export function useInFlightState() {
  const inFlightCommands = useAtomValue(inFlightCommandsAtom)
  return (announcement: Announcement): InFlightCommand['state'] | undefined => {
    const title = formatCommand(announcement)
    return [...inFlightCommands.values()].find((command) => command.title === title)?.state
  }
}

/** @deprecated Use {@link useInFlightState}; kept for remotes that were built before. */
export const useOutgoing = useInFlightState
