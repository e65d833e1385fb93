import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import { useNavigate } from 'react-router-dom'
import { paths } from '@iot/shared/screens/paths'
import type { FrameProps } from '@iot/shared/ui/formDialog'
import { DisabledWithReason } from '@iot/shared/ui/right'
import { CannotSaveHint } from '@iot/shared/ui/rightModal'
import * as styles from './scene.module.css'

/** Shows the form of a scene as a page, whose buttons stay in sight at its lower edge. */
export function SceneFrame({
  extra,
  formId,
  missingPermission,
  isReadOnly,
  refusal,
  isBusy,
  children,
}: FrameProps) {
  const navigate = useNavigate()
  return (
    <>
      {children}
      <div className={styles.footer}>
        <CannotSaveHint why={missingPermission ?? refusal} isReadOnly={isReadOnly} />
        <Flex justify="end" gap={8}>
          <Button onClick={() => void navigate(paths.home())}>返回首页</Button>
          {extra}
          <DisabledWithReason why={missingPermission}>
            <Button type="primary" htmlType="submit" form={formId} loading={isBusy}>
              保存
            </Button>
          </DisabledWithReason>
        </Flex>
      </div>
    </>
  )
}
