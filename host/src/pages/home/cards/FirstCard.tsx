import { Button } from 'antd'
import { Link } from 'react-router-dom'
import { viewApi } from '@iot/shared/contract/view'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { Right } from '@iot/shared/ui/right'
import type { Tab } from '../useViews'

type FirstCardProps = { view?: Tab; onBegin: () => void }

/** The way to cards from home without them: of the chosen view, or to where views are made. */
export default function FirstCard({ view, onBegin }: FirstCardProps) {
  const can = useCan()
  if (view)
    return (
      <Right to={viewApi.arrange}>
        <Button size="small" onClick={onBegin}>
          为“{view.name}”编排卡片
        </Button>
      </Right>
    )
  if (!can(viewApi.create)) return null
  return (
    <Link to={paths.deviceAccess.config.viewManager()}>
      <Button size="small">新建带卡片的视图</Button>
    </Link>
  )
}
