import { useState } from 'react'
import { call, CallError } from '@iot/shared/client/call'
import { responseCodes } from '@iot/shared/contract/endpoint'
import type { ViewCards } from '@iot/shared/contract/project/view.schema'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { maxCards } from '@iot/shared/contract/project/viewCard'
import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { useFeedback } from '@iot/shared/ui/feedback'
import { compactCards, sortByPosition } from './layout'
import { mergeCards } from './merge'
import type { EditedCards } from './useEditedCards'

export type CardsConflict = { current: ViewCards; merge: ReturnType<typeof mergeCards> }

const callOptions = { handles: [responseCodes.version, responseCodes.fields] }

/** Saves the edited cards, merging them with those that a colleague saved meanwhile. */
export function useSaveCards(
  id: string,
  projectId: number,
  draft: EditedCards,
  onSaved: (savedView: ViewCards) => void,
) {
  const { message } = useFeedback()
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<CardsConflict>()

  async function save(nextCards = draft.cards, baseView = draft.base) {
    setSaving(true)
    try {
      const input = {
        id,
        version: baseView.version,
        projectId,
        cards: sortByPosition(nextCards),
      }
      const savedView = await call(viewApi.arrange, input, callOptions)
      draft.resetCards(savedView)
      draft.dropStoredDraft()
      onSaved(savedView)
      message.success(`已保存“${savedView.name}”`)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === responseCodes.fields) message.error(error.message)
      if (error.code === responseCodes.version) {
        const { current } = error.data as { current: ViewCards }
        const merge = mergeCards(
          compactCards(baseView.cards),
          nextCards,
          compactCards(current.cards),
        )
        if (merge.asked.length > 0) setConflict({ current, merge })
        else await adoptSavedCards(current, merge.with({}))
      }
    } finally {
      setSaving(false)
    }
  }
  /** Adopts a colleague's saved cards as the base of further changes. */
  const adoptSavedCards = (current: ViewCards, mergedCards: ViewCard[]) => {
    draft.setBase(current)
    draft.history.setValue(mergedCards)
    setConflict(undefined)
    if (mergedCards.length > maxCards) {
      message.warning(`合并后超过 ${maxCards} 张卡片，请移除一些再保存`)
      return Promise.resolve()
    }
    return save(mergedCards, current)
  }
  const discardOwnCards = (current: ViewCards) => {
    draft.dropStoredDraft()
    draft.resetCards(current)
    setConflict(undefined)
  }
  return {
    save,
    isSaving,
    conflict,
    adoptSavedCards,
    discardOwnCards,
    closeConflict: () => setConflict(undefined),
  }
}
