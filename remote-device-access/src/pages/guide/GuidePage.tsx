import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Typography from 'antd/es/typography'
import { Link } from 'react-router-dom'
import { paths } from '@iot/shared/screens/paths'
import { Panel } from '@iot/shared/ui/panel'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { CategoryStep } from './CategoryStep'
import { DeviceStep } from './DeviceStep'
import { PlanStep } from './PlanStep'
import { ProductStep } from './ProductStep'
import { ProjectStep } from './ProjectStep'
import * as styles from './guide.module.css'
import { useGuide } from './useGuide'

/** Leads from an empty platform to devices that obey, on one page that can be left and resumed. */
export function Component() {
  const guide = useGuide()
  return (
    <Panel>
      <Flex gap={12} align="center" justify="space-between" wrap>
        <Typography.Text type="secondary">
          从建项目到控制设备，做完的步骤会自动打勾，离开后可以接着做
        </Typography.Text>
        <Flex gap={12} align="center">
          <Link to={paths.deviceAccess.config.product()}>产品列表</Link>
          {guide.product && <Button onClick={guide.startAnother}>接入另一个产品</Button>}
        </Flex>
      </Flex>
      {guide.error && (
        <LoadErrorAlert
          why={guide.error.message}
          hasRows={!guide.isLoading}
          onRetry={guide.refresh}
        />
      )}
      {guide.isLoading ? (
        !guide.error && <Skeleton active title={false} paragraph={{ rows: 8 }} />
      ) : (
        <ol className={styles.steps}>
          <ProjectStep guide={guide} />
          <CategoryStep guide={guide} />
          <ProductStep guide={guide} />
          <DeviceStep guide={guide} />
          <PlanStep guide={guide} />
        </ol>
      )}
    </Panel>
  )
}
