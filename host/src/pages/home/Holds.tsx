import { useRequest } from 'ahooks'
import { Button } from 'antd'
import { shortTime } from '@iot/shared/client/zone'
import { call } from '@iot/shared/client/call'
import { holdApi, type Hold } from '@iot/shared/contract/hold'
import { Card } from '@iot/shared/ui/card'
import { FailedLine } from '@iot/shared/ui/usePage'
import { Right } from '@iot/shared/ui/right'
import * as styles from './holds.module.css'

type HoldsProps = {
  holds: Hold[]
  failed?: Error
  onChanged: () => void
}

/** Lists manual overrides that this or the previous shift wants kept, and who has changed the lamps since. */
export default function Holds({ holds, failed, onChanged }: HoldsProps) {
  return (
    <Card title="交接：人工保留" bodyClass={styles.list}>
      {failed && <FailedLine why={failed.message} hasRows onRetry={onChanged} />}
      {holds.map((hold) => (
        <HoldLine key={hold.id} hold={hold} onChanged={onChanged} />
      ))}
    </Card>
  )
}

export function HoldLine({ hold, onChanged }: { hold: Hold; onChanged: () => void }) {
  const { id, title, devices, since, until, reason, createBy, overriddenBy } = hold
  const { run: end, loading } = useRequest(() => call(holdApi.end, { id }), {
    manual: true,
    // If another user has already ended the override, it is gone as well, so the list is refreshed either way.
    onFinally: onChanged,
    onError: () => {},
  })
  return (
    <article className={styles.hold} aria-label={`${title}，保留`}>
      <div className={styles.head}>
        <strong title={title}>{title}</strong>
        <Right to={holdApi.end}>
          <Button type="link" size="small" loading={loading} onClick={end}>
            结束
          </Button>
        </Right>
      </div>
      <div className={styles.more}>
        {devices} 台，{shortTime(since)} 起
        {until ? `，保留到 ${shortTime(until)}` : '，直到手动结束'}
      </div>
      <div>
        {createBy}：{reason}
      </div>
      {overriddenBy.map((one) => (
        <div key={one.taskId} className={styles.changed}>
          {shortTime(one.createTime)} {one.createBy} 的“{one.title}”改动了其中 {one.devices} 台
        </div>
      ))}
    </article>
  )
}
