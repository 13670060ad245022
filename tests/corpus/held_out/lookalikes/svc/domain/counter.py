class Quota:
    def __init__(self):
        self.count = 0
    def take(self):
        try:
            self.check()
        except ValueError:
            self.count += 1
            raise
