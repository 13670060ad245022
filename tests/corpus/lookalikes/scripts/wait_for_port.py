import socket
import time
def wait(host, port):
    for _ in range(30):
        try:
            return socket.create_connection((host, port))
        except OSError:
            time.sleep(1)
