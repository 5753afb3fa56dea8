/** A modal dialog: a title, what is asked, and the buttons at its foot. Escape and a press outside close it. */
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { IconButton } from './button.tsx'
import '../styles/dialog.css'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly size?: 'small' | 'wide' | 'full'
  /** False while something typed would be lost by a press outside. */
  readonly isLight?: boolean
  readonly foot?: ReactNode
  readonly children: ReactNode
}

export function Dialog({ title, isOpen, onClose, size = 'small', isLight = true, foot, children }: DialogProps) {
  const { ui } = useTexts()
  return (
    <ModalOverlay
      className="dialog-shade"
      isOpen={isOpen}
      isDismissable={isLight}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Modal className={`dialog dialog-${size}`}>
        <AriaDialog className="dialog-box">
          <div className="dialog-head">
            <Heading slot="title" className="dialog-title">
              {visible(title)}
            </Heading>
            <IconButton label={ui.close} onPress={onClose}>
              <X size={16} aria-hidden="true" />
            </IconButton>
          </div>
          <div className="dialog-body">{children}</div>
          {foot !== undefined && <div className="dialog-foot">{foot}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
