import { Alert, Button, Flex } from 'antd'
import { useState } from 'react'
import { dropDraft, readDraft } from '@iot/shared/session/drafts'
import { whenText } from '@iot/shared/plan/lights'

type UnfinishedProps = { draft: string; what: string; onGoOn: () => void; onGiveUp?: () => void }

/** Offers an unsaved arrangement again after a reload, an ended session or a crash. */
export function Unfinished({ draft, what, onGoOn, onGiveUp }: UnfinishedProps) {
  const [kept, setKept] = useState(() => readDraft(draft, String))
  return (
    kept && (
      <Alert
        type="warning"
        showIcon
        title={`有未保存的${what}（${whenText(kept.time)}）`}
        action={
          <Flex gap={8}>
            <Button size="small" type="primary" onClick={onGoOn}>
              继续
            </Button>
            <Button
              size="small"
              onClick={() => {
                dropDraft(draft)
                setKept(undefined)
                onGiveUp?.()
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
