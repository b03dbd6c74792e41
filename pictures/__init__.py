"""Pictures that staff upload: received, converted in the background, served under /media/."""
