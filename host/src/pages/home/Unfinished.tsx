import { Alert, Button, Flex } from 'antd'
import { useState } from 'react'
import { dropDraft, readDraft } from '@iot/shared/session/drafts'
import { whenText } from '@iot/shared/plan/lights'

type UnfinishedProps = { draft: string; what: string; onGoOn: () => void }

/** Offers what was arranged and not saved before a reload, a lost session or a crash. */
export function Unfinished({ draft, what, onGoOn }: UnfinishedProps) {
  const [kept, setKept] = useState(() => readDraft(draft, String))
  return (
    kept && (
      <Alert
        type="warning"
        showIcon
        title={`有 ${whenText(kept.time)} 未保存的${what}`}
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
