import useHistoryTravel from 'ahooks/es/useHistoryTravel'
import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import type { ViewCards } from '@iot/shared/contract/project/view.schema'
import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { removeDraft, saveDraft, readDraft, unsavedFormPathsAtom } from '@iot/shared/session/drafts'
import { getCardsDraftKey } from './draftKey'
import { compactCards, sortByPosition } from './layout'

type StoredCards = { base: ViewCards; cards: ViewCard[] }
export type EditedCards = ReturnType<typeof useEditedCards>

export const hasSameCards = (left: ViewCard[], right: ViewCard[]) =>
  JSON.stringify(sortByPosition(left)) === JSON.stringify(sortByPosition(right))

/** Returns the cards that are being arranged, with their history; a draft stored in this browser is restored first. */
export function useEditedCards(row: ViewCards, projectId: number) {
  const draftKey = getCardsDraftKey(row.id, projectId)
  const [storedDraft, setStoredDraft] = useState(() => readDraft(draftKey, String))
  const restoredCards = storedDraft?.values as StoredCards | undefined
  const [base, setBase] = useState(restoredCards?.base ?? row)
  const history = useHistoryTravel(compactCards(restoredCards?.cards ?? row.cards), 100)
  const cards = history.value!
  const isDirty = !hasSameCards(cards, compactCards(base.cards))
  const setUnfinished = useSetAtom(unsavedFormPathsAtom)

  useEffect(() => {
    if (!isDirty) return
    saveDraft(draftKey, row.id, { base, cards })
    setUnfinished((all) => [...all, draftKey])
    return () => setUnfinished((all) => all.filter((candidate) => candidate !== draftKey))
  }, [isDirty, draftKey, row.id, base, cards, setUnfinished])

  const dropStoredDraft = useMemoizedFn(() => removeDraft(draftKey, '/home'))
  const resetCards = (view: ViewCards) => {
    setBase(view)
    history.reset(compactCards(view.cards))
  }
  const discardStoredDraft = () => {
    dropStoredDraft()
    setStoredDraft(undefined)
    resetCards(row)
  }
  return {
    cards,
    history,
    base,
    setBase,
    isDirty,
    restoredTime: storedDraft?.time,
    dropStoredDraft,
    discardStoredDraft,
    resetCards,
  }
}
