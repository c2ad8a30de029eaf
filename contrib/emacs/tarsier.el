;;; tarsier.el --- Search your documents from Emacs  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: GPL-3.0-or-later
;; Package-Requires: ((emacs "27.1"))

;;; Commentary:
;; M-x tarsier asks for a query and lets you choose a hit, in the completion that you use (Vertico,
;; Helm, the built-in one). Text opens in Emacs at the passage, anything else in its viewer.

;;; Code:
(require 'json)

(defvar tarsier-command '("tarsier" "search" "--json" "--limit" "100" "--")
  "The command, to which the query is added.")

(defun tarsier--candidate (hit)
  "What is shown of HIT. Its property tarsier-hit is HIT."
  (let* ((member (alist-get 'member hit))
         (text (alist-get 'text (car (alist-get 'snippets hit))))
         (place (concat (abbreviate-file-name (alist-get 'path hit)) (and member (concat "|" member)))))
    (propertize (concat place "  " (propertize (replace-regexp-in-string "[[:cntrl:]]+" " " (or text "")) 'face 'shadow))
                'tarsier-hit hit)))

(defun tarsier-search (query)
  "The hits for QUERY as candidates."
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8) (hits nil))
      (apply #'call-process (car tarsier-command) nil '(t nil) nil (append (cdr tarsier-command) (list query)))
      (dolist (line (split-string (buffer-string) "\n" t) (nreverse hits))
        (let ((hit (json-parse-string line :object-type 'alist :array-type 'list :null-object nil)))
          (when (equal (alist-get 'type hit) "hit")
            (push (tarsier--candidate hit) hits)))))))

(defun tarsier-visit (candidate)
  "Open the hit of CANDIDATE."
  (let* ((hit (get-text-property 0 'tarsier-hit candidate))
         (member (alist-get 'member hit))
         (line (alist-get 'line (car (alist-get 'snippets hit)))))
    (if (or member (not (member (alist-get 'kind hit) '("text" "code"))))
        (call-process "tarsier" nil 0 nil "open" "--" (concat (alist-get 'path hit) (and member (concat "|" member))))
      (find-file (alist-get 'path hit))
      (goto-char (point-min))
      (forward-line (1- (or line 1))))))

;;;###autoload
(defun tarsier (query)
  "Search your documents for QUERY and open one."
  (interactive "sDocuments: ")
  (let* ((hits (or (tarsier-search query) (user-error "Nothing found")))
         (table (lambda (string predicate action)
                  (if (eq action 'metadata) '(metadata (display-sort-function . identity))
                    (complete-with-action action hits string predicate)))))
    (tarsier-visit (car (member (completing-read "Hit: " table nil t) hits)))))

(provide 'tarsier)
;;; tarsier.el ends here
