import HomeOutlined from '@ant-design/icons/HomeOutlined'
import Alert from 'antd/es/alert'
import { ChoiceStrip } from '@iot/shared/ui/choiceStrip'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { RetryAlert } from '@iot/shared/ui/retryAlert'
import type { Views } from './useViews'
import * as styles from './home.module.css'

export type ViewTabsProps = {
  views: Views
  /** Receives the element into which the tools of every view render. */
  onBar: (bar: HTMLElement | null) => void
}
const overview = ''

/** Shows the views as tabs after the overview; it shows nothing if there are no views. */
export default function ViewTabs({
  views: { tabs, selectedView, missing, error, refresh, choose },
  onBar,
}: ViewTabsProps) {
  return (
    <>
      {tabs.length > 0 && (
        <div className={styles.views}>
          <ChoiceStrip
            label="视图"
            value={selectedView?.path ?? overview}
            choices={[
              { value: overview, name: '总览', icon: <HomeOutlined /> },
              ...tabs.map(({ path, label, icon }) => ({
                value: path,
                name: label,
                icon: icon && <MenuIcon name={icon} />,
              })),
            ]}
            onChange={(path) => choose(path || undefined)}
          />
          <div ref={onBar} />
        </div>
      )}
      {missing && (
        <Alert
          type="info"
          showIcon
          title={`没有视图“${missing}”，或它在这个项目里不对您显示；下面是总览。`}
        />
      )}
      {error && (
        <RetryAlert type="warning" title={`没有读到视图：${error.message}`} onRetry={refresh} />
      )}
    </>
  )
}
