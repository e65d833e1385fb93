import { useRequest } from 'ahooks'
import { App } from 'antd'
import { useMemo, useState } from 'react'
import { call } from '@iot/shared/client/call'
import { managedDeviceApi, placesMost } from '@iot/shared/contract/managedDevice'
import { settled, taken, unsaved, type Arrangement, type At, type Target } from './arrangement'
import type { Clash } from './Clashes'

type Saving = {
  floorId: string
  all: Arrangement
  setAll: (change: (now: Arrangement) => Arrangement) => void
  nameOf: (id: string) => string
  /** Returns the room that a device was dropped into if it differs from its current room. */
  roomOf: (id: string, to: At) => string | undefined
  onSaved: () => void
}
export type Refused = { id: string; name: string; why: string }
const nowhere = { x: null, y: null }

/**
 * Saves the arrangement with a result per device. Positions that a colleague changed meanwhile become conflicts, and
 * refused ones stay unsaved.
 */
export function useSaving({ floorId, all, setAll, nameOf, roomOf, onSaved }: Saving) {
  const { message } = App.useApp()
  const [refused, setRefused] = useState<Refused[]>([])
  const [clashes, setClashes] = useState<Clash[]>([])
  const failed = useMemo(() => new Map(refused.map(({ id, why }) => [id, why])), [refused])

  const { run, loading, error } = useRequest(
    async (from: Arrangement) => {
      const moves = unsaved(from)
      const answers = []
      for (let at = 0; at < moves.length; at += placesMost) {
        const some = moves.slice(at, at + placesMost)
        const places = some.map((one) => ({
          id: one.id,
          ...(one.to ?? nowhere),
          was: one.from ?? nowhere,
          spaceId: one.to ? roomOf(one.id, one.to) : undefined,
        }))
        const part = await call(managedDeviceApi.place, { floorId, places }, { inline: true })
        const isSaved = new Set(part.filter(({ ok }) => ok).map(({ id }) => id))
        const done = some.filter(({ id }) => isSaved.has(id))
        setAll((now) => settled(now, done))
        answers.push(...part)
      }
      return { moves, answers }
    },
    {
      manual: true,
      onError: () => {},
      onSuccess({ moves, answers }) {
        const wanted = new Map(moves.map(({ id, to }) => [id, to]))
        setClashes(
          answers.flatMap(({ id, name, now }) =>
            now ? [{ id, name, now, mine: wanted.get(id) ?? null }] : [],
          ),
        )
        setRefused(
          answers.flatMap(({ id, ok, now, reason = '' }) =>
            ok || now ? [] : [{ id, name: nameOf(id), why: reason }],
          ),
        )
        const saved = answers.filter(({ ok }) => ok).length
        if (saved > 0) void message.success(`已保存 ${saved} 台的位置`)
        onSaved()
      },
    },
  )
  return {
    save: () => run(all),
    isSaving: loading,
    saveError: error,
    refused,
    failed,
    closeRefused: () => setRefused([]),
    clashes,
    closeClashes: () => setClashes([]),
    resolve(mine: Target[], theirs: Target[]) {
      setClashes([])
      // The operator's own positions are sent again, now based on the colleague's positions.
      const next = settled(taken(all, theirs), mine)
      setAll(() => next)
      if (mine.length > 0) run(next)
    },
  }
}
