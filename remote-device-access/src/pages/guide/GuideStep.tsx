import CheckCircleFilled from '@ant-design/icons/CheckCircleFilled'
import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import type { ReactNode } from 'react'
import * as styles from './guide.module.css'

type GuideStepProps = {
  number: number
  title: string
  isDone: boolean
  /** One line beside the title: what is done already, or what comes first. */
  summary: ReactNode
  children?: ReactNode
}

/** One step of the guide; its content is left out while it waits for an earlier step. */
export const GuideStep = ({ number, title, isDone, summary, children }: GuideStepProps) => (
  <li className={styles.step} aria-label={`${title}${isDone ? '，已完成' : ''}`}>
    <span className={styles.mark} aria-hidden>
      {isDone ? <CheckCircleFilled className={styles.done} /> : number}
    </span>
    <Flex vertical gap={12} className={styles.content}>
      <Flex gap={12} align="baseline" wrap>
        <h2 className={styles.title}>{title}</h2>
        <Typography.Text type="secondary">{summary}</Typography.Text>
      </Flex>
      {children}
    </Flex>
  </li>
)
