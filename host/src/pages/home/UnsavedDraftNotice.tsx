import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import { useState } from 'react'
import { removeDraft, readDraft } from '@iot/shared/session/drafts'
import { formatDayTime } from '@iot/shared/plan/lights'

type UnsavedDraftNoticeProps = {
  draftKey: string
  what: string
  onContinue: () => void
  onDiscard?: () => void
}

/** Offers an unsaved arrangement again after a reload, an ended session or a crash. */
export function UnsavedDraftNotice({
  draftKey,
  what,
  onContinue,
  onDiscard,
}: UnsavedDraftNoticeProps) {
  const [storedDraft, setStoredDraft] = useState(() => readDraft(draftKey, String))
  return (
    storedDraft && (
      <Alert
        type="warning"
        showIcon
        title={`有未保存的${what}（${formatDayTime(storedDraft.time)}）`}
        action={
          <Flex gap={8}>
            <Button size="small" type="primary" onClick={onContinue}>
              继续
            </Button>
            <Button
              size="small"
              onClick={() => {
                removeDraft(draftKey)
                setStoredDraft(undefined)
                onDiscard?.()
              }}
            >
              放弃
            </Button>
          </Flex>
        }
      />
    )
  )
}
